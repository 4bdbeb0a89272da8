import { spawnSync } from 'node:child_process'
import type { DumpProgram } from './availability.ts'

/** What the database's own tool writes of a whole database, as its users have it: definitions, and with `rows` what is in the tables. */
export function dump(program: DumpProgram, databaseUrl: string, { rows = false }: { rows?: boolean } = {}): string {
  const made = spawnSync(program.path, argumentsFor(program, new URL(databaseUrl), rows), {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 60_000,
  })
  if (made.status !== 0) throw new Error(`${program.name} failed: ${made.stderr}`, { cause: made.error })
  return made.stdout
}

function argumentsFor({ name }: DumpProgram, url: URL, rows: boolean): string[] {
  if (name === 'pg_dump') return [url.href, ...(rows ? [] : ['--schema-only'])]
  const place = [`--host=${url.hostname}`, `--port=${url.port}`, `--user=${url.username}`, '--protocol=tcp']
  return ['--no-defaults', ...place, ...(rows ? [] : ['--no-data']), url.pathname.slice(1)]
}
