import { appendFileSync, existsSync, readFileSync } from 'node:fs'

// Vitest's JSON report says nothing of errors outside of tests: vitest.config.ts hands them over here, a line each.

export const UNHANDLED_FILE = 'CADMUS_UNHANDLED_FILE'

/** Keeps what went wrong outside of any test in the file that the variable names; without it nothing is kept. */
export function keepUnhandledError(error: { readonly stack?: string; readonly message?: string }): void {
  const file = process.env[UNHANDLED_FILE]
  if (file === undefined || file === '') return
  appendFileSync(file, `${JSON.stringify(error.stack ?? error.message ?? 'An error without a message.')}\n`)
}

export function unhandledErrorsIn(file: string): string[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => String(JSON.parse(line)))
}
