import { type Client, createClientAsync } from 'soap'

export type SoapAnswer =
  | { readonly kind: 'answer'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'fault'; readonly status: number; readonly message: string; readonly fault: unknown }

export type SoapClient = {
  /** Calls an operation; arguments are objects in the client's form of elements. */
  call(operation: string, args: Readonly<Record<string, unknown>>): Promise<SoapAnswer>
}

/** A public client for the service described by a WSDL, in the given SOAP version. */
export async function soapClient(
  wsdl: string,
  version: '1.1' | '1.2',
  headers: Record<string, string> = {},
): Promise<SoapClient> {
  const client = await createClientAsync(wsdl, {
    forceSoap12Headers: version === '1.2',
    wsdl_headers: headers,
    // Clients of the same address would share cached data, including the version.
    disableCache: true,
  })
  for (const [name, value] of Object.entries(headers)) client.addHttpHeader(name, value)
  return {
    async call(operation, args) {
      const method = methodOf(client, operation, version)
      return new Promise((resolve, reject) => {
        method(args, (error, value) => {
          if (error === null || error === undefined) return resolve({ kind: 'answer', value: value ?? {} })
          const fault = faultOf(error)
          return fault ? resolve(fault) : reject(error)
        })
      })
    },
  }
}

type Method = (
  args: Readonly<Record<string, unknown>>,
  done: (error: unknown, value?: Readonly<Record<string, unknown>>) => void,
) => void

/** The operation at the port of the version. */
function methodOf(client: Client, operation: string, version: '1.1' | '1.2'): Method {
  const [service = {}] = Object.values<Record<string, unknown>>(client.describe())
  const [name = ''] = Object.keys(client.describe())
  const port = Object.keys(service).find(one => one.endsWith('Soap12') === (version === '1.2'))
  const method = client[name]?.[port ?? '']?.[operation]
  if (typeof method !== 'function') throw new Error(`The WSDL has no operation ${operation}.`)
  return method
}

function faultOf(error: unknown): SoapAnswer | undefined {
  if (!(error instanceof Error)) return undefined
  const response: unknown = Reflect.get(error, 'response')
  const root: unknown = Reflect.get(error, 'root')
  if (typeof response !== 'object' || response === null || root === undefined) return undefined
  const body: unknown = Reflect.get(Object(root), 'Envelope')
  const fault: unknown = Reflect.get(Object(Reflect.get(Object(body), 'Body')), 'Fault')
  return { kind: 'fault', status: Number(Reflect.get(response, 'status')), message: error.message, fault }
}
