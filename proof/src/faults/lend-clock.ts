import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { pickEnvironment, programVariables } from '../managed-process.ts'

/**
 * Loaded with `--import` before every program of a run whose clock is moved. The product starts PostgreSQL with a new environment;
 * the variables of the clock are added to it, so that the database has the same clock as all others.
 */
const { spawn } = childProcess
childProcess.spawn = ((file: string, words: readonly string[], options?: childProcess.SpawnOptions) =>
  spawn(
    file,
    words,
    options?.env ? { ...options, env: { ...pickEnvironment(programVariables), ...options.env } } : { ...options },
  )) as typeof spawn
syncBuiltinESMExports()
