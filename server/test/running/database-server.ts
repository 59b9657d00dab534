/** The server that the test databases of one run live on; each file's database is a copy of `template`. */
export type TestDatabaseServer = {
  /** A login that owns the template and may create databases, connected to a maintenance database. */
  administrationUrl: string
  /** A login with the rights of the application role only. */
  applicationUrl: string
  template: string
  /** How PostgreSQL copies it: file by file takes a third of the processor, but waits for the disk at each file. */
  copyStrategy: 'file_copy' | 'wal_log'
}

declare module 'vitest' {
  interface ProvidedContext {
    databaseServer: TestDatabaseServer
  }
}

/** The same server and login, another database. */
export function withDatabaseName(url: string, name: string): string {
  const parsed = new URL(url)
  parsed.pathname = `/${name}`
  return parsed.href
}
