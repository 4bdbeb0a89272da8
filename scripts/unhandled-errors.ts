import { appendFileSync, existsSync, readFileSync } from 'node:fs'

// Vitest's JSON report says nothing of errors outside of tests: vitest.config.ts hands them over here, a line each.

export const UNHANDLED_FILE = 'CADMUS_UNHANDLED_FILE'

/** What went wrong outside of any test, and the file that ran meanwhile where that is known. */
export type UnhandledError = { readonly text: string; readonly file?: string | undefined }

type Handed = { readonly stack?: string; readonly message?: string; readonly VITEST_TEST_PATH?: string }

/** Keeps what went wrong outside of any test in the file that the variable names; without it nothing is kept. */
export function keepUnhandledError({ stack, message, VITEST_TEST_PATH: file }: Handed): void {
  const target = process.env[UNHANDLED_FILE]
  if (target === undefined || target === '') return
  const error: UnhandledError = { text: stack ?? message ?? 'An error without a message.', file }
  appendFileSync(target, `${JSON.stringify(error)}\n`)
}

export function unhandledErrorsIn(file: string): UnhandledError[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}
