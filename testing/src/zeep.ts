import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { debianPython } from './availability.ts'

export type ZeepCall = { readonly operation: string; readonly args: Readonly<Record<string, unknown>> }
export type ZeepAnswer = { readonly answer?: unknown; readonly fault?: string; readonly code?: string }

/**
 * Calls a SOAP service by its WSDL with zeep, which strictly follows the schema. Numbers are integers or, if exact,
 * texts.
 */
export async function callByZeep(
  wsdl: string,
  { service, port }: { service: string; port: string },
  calls: readonly ZeepCall[],
): Promise<ZeepAnswer[]> {
  const script = fileURLToPath(new URL('call-by-zeep.py', import.meta.url))
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      debianPython,
      [script, wsdl, service, port],
      { timeout: 60_000 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`zeep failed: ${stderr.slice(-2000)}`))
        else resolve(stdout)
      },
    )
    child.stdin?.end(JSON.stringify(calls))
  })
  return JSON.parse(output)
}
