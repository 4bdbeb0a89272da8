import { ConfigError, readConfig } from './config.ts'
import { DataDirRefused } from './data-dir.ts'
import { ApiError } from './errors/api-error.ts'
import { type Running, startServer } from './start.ts'

const patience = 10_000

try {
  const running = await startServer(readConfig())
  const { context } = running
  context.metrics.collectProcess()
  // Before it says so: whoever hears that it is ready may end it at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running))
  context.log.info({ url: context.publicUrl.origin, store: context.store.kind }, 'Cadmus is ready')
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

/** Answers what was asked, then closes the store; a request that hangs does not keep the process alive. */
async function stop(running: Running): Promise<void> {
  setTimeout(() => process.exit(1), patience).unref()
  try {
    await running.close()
    process.exit(0)
  } catch (error) {
    running.context.log.error({ err: error }, 'stopping failed')
    process.exit(1)
  }
}

/** A sentence for what the operator can mend, everything for what they cannot. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return ['Cadmus cannot start with these settings:', ...error.problems].join('\n  ')
  if (error instanceof DataDirRefused) return error.message
  if (error instanceof ApiError && error.code === 'storage_full') {
    return 'Cadmus cannot start: the disk of its store is full. Make room, and start it again.'
  }
  if (error instanceof ApiError) return `Cadmus cannot start: ${error.message}`
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Cadmus cannot start: ${error.message}. Choose another port with CADMUS_PORT.`
  }
  return error instanceof Error
    ? `Cadmus cannot start: ${error.stack ?? error.message}`
    : `Cadmus cannot start: ${error}`
}
