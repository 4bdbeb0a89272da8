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
