import process from 'node:process'

/** The first version of Node that runs TypeScript without a build. */
const nodeVersionMin = 24

export const isOldNode = Number(process.versions.node.split('.')[0]) < nodeVersionMin

/** Ends this process. The Node of the installation is missing when its package could not be fetched, or was left out. */
export function refuseOldNode() {
  console.error(
    `makola: Node ${nodeVersionMin} or newer is needed, this is ${process.version}. Run \`npm ci\`, which installs it ` +
      'on Linux and macOS, without `--omit=optional`.',
  )
  process.exit(1)
}
