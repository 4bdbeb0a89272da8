import { type Child, compileCache, startChild } from '@cadmus/testing/children'
import { freePort, Gone, waitFor } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { consoleSecret } from './instance.ts'

export type InstanceProcess = {
  readonly child: Child
  readonly url: string
  /** A management call with the console's secret. */
  readonly manage: (path: string, init?: RequestInit) => Promise<Response>
  readonly upload: (zip: Uint8Array, query: string) => Promise<Response>
  /** Retries `probe` until it succeeds, while the process runs. */
  readonly once: <T>(probe: () => Promise<T>) => Promise<T>
}

const program = join(import.meta.dirname, '../main.ts')

/** A start takes about a second of processor time, but much longer on an overloaded machine. */
const timeout = 180_000

/** The unit of `ulimit -f`. */
const blockSize = 512

/** Starts an instance in its own process, which can be killed. `maxFileSize`: the limit of its files, in bytes. */
export async function startInstanceProcess(
  dataDir: string,
  { maxFileSize }: { maxFileSize?: number } = {},
): Promise<InstanceProcess> {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    CADMUS_INSTANCE_PORT: String(port),
    CADMUS_INSTANCE_DATA_DIR: dataDir,
    CADMUS_INSTANCE_SECRET: consoleSecret,
    CADMUS_LOG_LEVEL: 'warn',
  }
  const child =
    maxFileSize === undefined
      ? startChild(process.execPath, [program], { env: { ...env, ...compileCache } })
      : startChild(
          '/bin/sh',
          ['-c', `ulimit -f ${maxFileSize / blockSize} && exec "${process.execPath}" "${program}"`],
          {
            env,
          },
        )
  const url = `http://localhost:${port}`
  const once = <T>(probe: () => Promise<T>) => waitFor(() => probe().catch(explain(child)), timeout, 20)
  await once(() => fetch(`${url}/health`))
  const headers = { authorization: `Bearer ${consoleSecret}` }
  const manage = (path: string, init: RequestInit = {}) => fetch(`${url}/esbapi${path}`, { headers, ...init })
  return {
    child,
    url,
    manage,
    once,
    upload(zip, query) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(zip)]), 'package.zip')
      return manage(`/packages/upload?${query}`, { method: 'POST', body: form })
    },
  }
}

/** Explains a failed probe with the output of the process. */
function explain({ process: { exitCode, signalCode }, output }: Child) {
  return (error: unknown): never => {
    if (exitCode === null && signalCode === null)
      throw new Error(`Output of the instance: ${output()}`, { cause: error })
    throw new Gone(`The instance ended: ${output()}`, { cause: error })
  }
}
