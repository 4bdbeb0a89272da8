import { visibleText } from '@cadmus/model/visible-text'
import { pino, type DestinationStream, type Logger } from 'pino'

/** The instance's log: a JSON line each. Names that came from a file cannot turn a line around in who reads it. */
export function createLog(level: string, to?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      // Belt and braces: nothing logs headers or bodies, but an error may carry a request with it.
      redact: ['*.headers', '*.authorization', '*.password', '*.token', 'err.config', 'err.parameters'],
      hooks: { streamWrite: line => visibleText(line, { lines: true }) },
    },
    to ?? process.stdout,
  )
}

/** What the log says of an error. Never all of it: errors of libraries carry requests, parameters and whole files with them. */
export function forLog(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 1000) }
  const { name, message, stack, cause } = error
  return {
    name,
    code: 'code' in error ? String(error.code) : undefined,
    message: message.slice(0, 4000),
    stack,
    ...(cause === undefined || depth > 3 ? {} : { because: forLog(cause, depth + 1) }),
  }
}
