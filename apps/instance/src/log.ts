import { visibleText } from '@cadmus/model/display'
import { pino, type DestinationStream, type Logger } from 'pino'

/** The log: one JSON object a line. Control and bidi characters of names are escaped. */
export function createLog(level: string, to?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      // A second safeguard: no code logs headers or bodies, but errors may carry a request.
      redact: ['*.headers', '*.authorization', '*.password', '*.token', 'err.config', 'err.parameters'],
      hooks: { streamWrite: line => visibleText(line, { lines: true }) },
    },
    to ?? process.stdout,
  )
}

/** The loggable parts of an error. Library errors may carry requests, parameters and files. */
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
