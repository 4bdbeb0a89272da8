import { ConfigError, readConfig } from './config.ts'
import { DataDirRefused } from './data-dir.ts'
import { ApiError } from './errors/api-error.ts'
import { type Running, startServer } from './start.ts'

const shutdownTimeout = 10_000

try {
  const running = await startServer(readConfig())
  const { context } = running
  context.metrics.collectProcess()
  // Installed before the ready line: a supervisor may stop the process as soon as it reads that line.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running))
  context.log.info({ url: context.publicUrl.origin, store: context.store.kind }, 'Cadmus is ready')
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

/** Finishes open requests, then closes the store; a hanging request does not keep the process alive. */
async function stop(running: Running): Promise<void> {
  setTimeout(() => process.exit(1), shutdownTimeout).unref()
  try {
    await running.close()
    process.exit(0)
  } catch (error) {
    running.context.log.error({ err: error }, 'shutdown failed')
    process.exit(1)
  }
}

/** A single sentence for errors the operator can fix, the stack for all others. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return ['Cadmus cannot start with these settings:', ...error.problems].join('\n  ')
  if (error instanceof DataDirRefused) return error.message
  if (error instanceof ApiError && error.code === 'storage_full') {
    return 'Cadmus cannot start: the disk of its store is full. Free space and start it again.'
  }
  if (error instanceof ApiError) return `Cadmus cannot start: ${error.message}`
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Cadmus cannot start: ${error.message}. Choose another port with CADMUS_PORT.`
  }
  return error instanceof Error
    ? `Cadmus cannot start: ${error.stack ?? error.message}`
    : `Cadmus cannot start: ${error}`
}
