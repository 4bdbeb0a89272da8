import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClientAsync } from 'soap'

/** The operations that a public client finds in a WSDL, by port. Throws if the WSDL cannot be read. */
export async function operationsInWsdl(wsdl: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = mkdtempSync(join(tmpdir(), 'cadmus-wsdl-'))
  try {
    const file = join(folder, 'service.wsdl')
    writeFileSync(file, wsdl)
    const client = await createClientAsync(file)
    const [ports = {}] = Object.values<Record<string, Record<string, unknown>>>(client.describe())
    return Object.fromEntries(Object.entries(ports).map(([port, operations]) => [port, Object.keys(operations)]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
