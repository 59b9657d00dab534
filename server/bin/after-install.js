import { isOldNode, refuseOldNode } from './need-node.js'

// npm runs this file with the Node that it just installed, whose folder is first on the PATH. Where that is missing, an older one
// runs it, which cannot read TypeScript.
if (isOldNode) refuseOldNode()
else await import('./build-unless-built.ts')
