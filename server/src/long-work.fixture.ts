import process from 'node:process'
import { connectDatabase } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'

/** Migrates a database by a folder of migrations, in a process that a test can kill. Writes a line after each step. */
const [url = '', folder = ''] = process.argv.slice(2)
const db = connectDatabase({ url, poolSize: 2, applicationName: 'makola migrate' })
const onProgress = ({ done }: { done: number }) => process.stdout.write(`${done}\n`)
await migrate(db, { hasTwoLogins: false, folder: new URL(folder), onProgress })
await db.destroy()
