import { type Child, startChild } from '@cadmus/testing/children'
import { freePort, waitFor } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { consoleSecret } from './instance.ts'

export type InstanceProcess = {
  readonly child: Child
  readonly url: string
  /** A call of the console's to its management. */
  readonly manage: (path: string, init?: RequestInit) => Promise<Response>
  readonly upload: (zip: Uint8Array, query: string) => Promise<Response>
}

const program = join(import.meta.dirname, '../main.ts')

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
      ? startChild(process.execPath, [program], { env })
      : startChild(
          '/bin/sh',
          ['-c', `ulimit -f ${maxFileSize / blockSize} && exec "${process.execPath}" "${program}"`],
          {
            env,
          },
        )
  const url = `http://localhost:${port}`
  await waitFor(() => fetch(`${url}/health`), 20_000, 20)
  const headers = { authorization: `Bearer ${consoleSecret}` }
  const manage = (path: string, init: RequestInit = {}) => fetch(`${url}/esbapi${path}`, { headers, ...init })
  return {
    child,
    url,
    manage,
    upload(zip, query) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(zip)]), 'package.zip')
      return manage(`/packages/upload?${query}`, { method: 'POST', body: form })
    },
  }
}
