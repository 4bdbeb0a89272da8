import { spawnSync } from 'node:child_process'
import type { DumpProgram } from './availability.ts'

/**
 * The output of the database's own export tool for a whole database: definitions, and with `rows` also the contents of
 * tables.
 */
export function dump(program: DumpProgram, databaseUrl: string, { rows = false }: { rows?: boolean } = {}): string {
  const result = spawnSync(program.path, argumentsFor(program, new URL(databaseUrl), rows), {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    timeout: 60_000,
  })
  if (result.status !== 0) throw new Error(`${program.name} failed: ${result.stderr}`, { cause: result.error })
  return result.stdout
}

function argumentsFor({ name }: DumpProgram, url: URL, rows: boolean): string[] {
  if (name === 'pg_dump') return [url.href, ...(rows ? [] : ['--schema-only'])]
  const connection = [`--host=${url.hostname}`, `--port=${url.port}`, `--user=${url.username}`, '--protocol=tcp']
  return ['--no-defaults', ...connection, ...(rows ? [] : ['--no-data']), url.pathname.slice(1)]
}
