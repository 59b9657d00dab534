import { randomBytes } from 'node:crypto'
import { access, chown, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BackupManifest, copyFile, dataFolderOf, listTree, makeFolder, readBackupManifest, sync } from './backup-files.ts'
import { listProcessesOf } from './end-remaining-processes.ts'
import { chooseServerUser } from './server-user.ts'
import { clusterFolderOf, clusterNameOf } from './socket-folder.ts'

async function refuseExisting(folder: string): Promise<void> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`There is a database in ${folder}. Move it away first: nothing is overwritten.`)
  const processes = await listProcessesOf(clusterNameOf(folder))
  if (processes.length > 0) throw new Error(`The database server of ${folder} still runs. Stop Makola first.`)
}

/**
 * Copies a backup to the data folder of an embedded server, where there must be no database. Compares each file with its
 * checksum. The folder gets its name when all files are there. The server's next start replays the log of the backup.
 * @throws Error when a database is there or its server still runs, or the backup is not as it was made
 */
export async function restoreEmbedded(
  backup: string,
  dataDir: string,
  onProgress: (bytes: number) => void,
): Promise<BackupManifest> {
  const folder = await clusterFolderOf(dataDir)
  await refuseExisting(folder)
  const manifest = await readBackupManifest(backup)
  const from = dataFolderOf(backup)
  const user = await chooseServerUser(folder)
  const draft = `${folder}.${randomBytes(4).toString('hex')}`
  let bytes = 0
  try {
    await makeFolder(dirname(draft), '')
    await makeFolder(draft, '', user)
    for (const { path, isFolder } of await listTree(from, () => false)) if (isFolder) await makeFolder(draft, path, user)
    for (const file of manifest.files) {
      const copied = await copyFile(join(from, file.path), join(draft, file.path), user)
      if (copied.sha256 !== file.sha256) throw new Error(`${join(from, file.path)} is not as it was when the backup was made.`)
      bytes += copied.bytes
      onProgress(bytes)
    }
    if (user) await chown(draft, user.uid, user.gid)
    await rename(draft, folder)
    await sync(dirname(folder))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
