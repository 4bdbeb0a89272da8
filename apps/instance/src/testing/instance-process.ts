import { type Child, compileCache, startChild } from '@cadmus/testing/children'
import { freePort, Gone, waitFor } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { consoleSecret } from './instance.ts'

export type InstanceProcess = {
  readonly child: Child
  readonly url: string
  /** A call of the console's to its management. */
  readonly manage: (path: string, init?: RequestInit) => Promise<Response>
  readonly upload: (zip: Uint8Array, query: string) => Promise<Response>
  /** What `probe` answers once it does not throw, as long as the process is there. */
  readonly once: <T>(probe: () => Promise<T>) => Promise<T>
}

const program = join(import.meta.dirname, '../main.ts')

/** A start takes half a second to a second and a half of the processor: on a machine with twenty others waiting for it half a minute. */
const patience = 180_000

/** In the unit of `ulimit -f`. */
const blockSize = 512

/** An instance in a process of its own, which can be killed, once it answers. `maxFileSize`: to which its files may grow, in bytes. */
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
  const once = <T>(probe: () => Promise<T>) => waitFor(() => probe().catch(isThere(child)), patience, 20)
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

/** Why it did not answer: it ended, or what it said until then. */
function isThere({ process: { exitCode, signalCode }, output }: Child) {
  return (error: unknown): never => {
    if (exitCode === null && signalCode === null) throw new Error(`The instance said: ${output()}`, { cause: error })
    throw new Gone(`The instance ended: ${output()}`, { cause: error })
  }
}
