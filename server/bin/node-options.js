/**
 * Node's options for the processes that serve, which keep their memory small. They must be known when V8 starts, so
 * whoever starts such a process gives them; `makola.js` restarts itself with them where nobody did. This file is JavaScript,
 * because an old Node reads it too.
 *
 * V8 lets the young generation grow with the machine's memory, to 128 MB and more, and the old one to four times its
 * size before a full collection. The limit of the old generation is several times what is needed; the lower it is, the
 * sooner V8 collects: an API with signed-in persons holds 10 MB less than with 768 MB.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const nodeOptionsOfRoles = {
  api: ['--max-semi-space-size=8', '--max-old-space-size=256'],
  worker: ['--max-semi-space-size=16', '--max-old-space-size=768'],
}

/**
 * Environment variables for the processes with these options. The C library of Linux keeps a pool of memory for each of
 * Node's ten threads, and gives back less and less of it. One pool and fixed sizes, in bytes, keep an API some 15 MB
 * smaller. A value that the operator has set wins.
 */
export const memoryEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
