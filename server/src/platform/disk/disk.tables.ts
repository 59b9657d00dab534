declare module '../database/database.ts' {
  interface Tables {
    data_sizes: { day: string; bytes: number; measured_at: Date }
  }
}
