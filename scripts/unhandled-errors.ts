import { appendFileSync, existsSync, readFileSync } from 'node:fs'

// Vitest's JSON report omits errors outside of tests: vitest.config.ts writes them to a file, one per line.

export const UNHANDLED_FILE = 'CADMUS_UNHANDLED_FILE'

/** An error outside of any test, and the file that ran at that time if known. */
export type UnhandledError = { readonly text: string; readonly file?: string | undefined }

type ReportedError = { readonly stack?: string; readonly message?: string; readonly VITEST_TEST_PATH?: string }

/** Appends the error to the file named by the variable, if any. */
export function keepUnhandledError({ stack, message, VITEST_TEST_PATH: file }: ReportedError): void {
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
