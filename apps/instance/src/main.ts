import { advice, ConfigError, readConfig } from './config.ts'
import { DataDirError } from './data-dir.ts'
import { type Running, startInstance } from './start.ts'

const timeout = 10_000

try {
  const running = await startInstance(readConfig())
  const { context } = running
  // Registered before the ready message, since supervisors may stop the process as soon as they see it.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(running))
  for (const sentence of advice(context.config)) context.log.warn(sentence)
  context.log.info({ url: context.publicUrl.origin }, 'The instance is ready')
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

/** Finishes running requests, then closes the packages; a hanging request does not keep the process alive. */
async function stop(running: Running): Promise<void> {
  setTimeout(() => process.exit(1), timeout).unref()
  try {
    await running.close()
    process.exit(0)
  } catch (error) {
    running.context.log.error({ err: error }, 'stopping failed')
    process.exit(1)
  }
}

/** A message for errors the operator can fix, the stack for others. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) {
    return ['The instance cannot start with these settings:', ...error.problems].join('\n  ')
  }
  if (error instanceof DataDirError) return error.message
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `The instance cannot start: ${error.message}. Choose another port with CADMUS_INSTANCE_PORT.`
  }
  return error instanceof Error
    ? `The instance cannot start: ${error.stack ?? error.message}`
    : `The instance cannot start: ${error}`
}
