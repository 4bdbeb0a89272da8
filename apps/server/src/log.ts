import { visibleText } from '@cadmus/model/display'
import { pino, type DestinationStream, type Logger } from 'pino'

/** JSON lines on standard output. Names from uploaded files cannot inject control or bidirectional characters. */
export function createLog(level: string, to?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      // A second safeguard: no call logs headers or bodies, but an error object may carry a request.
      redact: ['*.headers', '*.authorization', '*.cookie', '*.password', '*.token', 'err.config', 'err.parameters'],
      hooks: { streamWrite: line => visibleText(line, { lines: true }) },
    },
    to ?? process.stdout,
  )
}
