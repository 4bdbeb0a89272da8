import { readXml, type XmlElement, XmlError, xmlText } from '@cadmus/formats/xml'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'

const soapVersions = ['1.1', '1.2'] as const
export type SoapVersion = (typeof soapVersions)[number]

const envelopeNamespaces: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
}

const messageLimits = { depth: 30, elements: 50_000, attributes: 50 }

/** Returns the only element in the body of a message. Throws a `SoapFault`. */
export function readEnvelope(text: string, version: SoapVersion): XmlElement {
  const envelope = readRoot(text)
  const namespace = envelopeNamespaces[version]
  if (envelope.name !== 'Envelope') throw new SoapFault('sender', 'The message is not a SOAP envelope.')
  if (envelope.namespace !== namespace) {
    throw new SoapFault('version', `The envelope does not match SOAP ${version}, the version of the content type.`)
  }
  const part = (name: string) => envelope.children.find(child => child.name === name && child.namespace === namespace)
  for (const header of part('Header')?.children ?? []) refuseMandatory(header, namespace)
  const [content, ...others] = part('Body')?.children ?? []
  if (!content || others.length > 0) throw new SoapFault('sender', 'The body of a message must contain one element.')
  return content
}

function readRoot(text: string): XmlElement {
  try {
    return readXml(text, messageLimits)
  } catch (error) {
    if (error instanceof XmlError) throw new SoapFault('sender', error.message)
    throw error
  }
}

/** No headers are supported, so mandatory ones are refused. */
function refuseMandatory({ attributes, name }: XmlElement, namespace: string): void {
  const must = attributes.get(`{${namespace}}mustUnderstand`)?.trim()
  if (must === '1' || must === 'true') {
    throw new SoapFault('mustUnderstand', `The header ${name.slice(0, 100)} is not supported.`)
  }
}

export function envelopeOf(content: TextPieces, version: SoapVersion): TextPieces {
  const namespaces = `xmlns:soap="${envelopeNamespaces[version]}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`
  const before = `<?xml version="1.0" encoding="UTF-8"?>\n<soap:Envelope ${namespaces}><soap:Body>`
  return joined(before, content, '</soap:Body></soap:Envelope>')
}

/** The cause of a fault: the sender, the instance, the SOAP version, or an unsupported header. */
type FaultKind = 'sender' | 'receiver' | 'version' | 'mustUnderstand'

export class SoapFault extends Error {
  override readonly name = 'SoapFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export type ReportedFault = { kind: FaultKind; status: number; message: string; fields: readonly string[] }

const codes: Readonly<Record<SoapVersion, Readonly<Record<FaultKind, string>>>> = {
  '1.1': { sender: 'Client', receiver: 'Server', version: 'VersionMismatch', mustUnderstand: 'MustUnderstand' },
  '1.2': { sender: 'Sender', receiver: 'Receiver', version: 'VersionMismatch', mustUnderstand: 'MustUnderstand' },
}

const words: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'notFound',
  409: 'conflict',
  429: 'tooMany',
  503: 'unavailable',
}

/** A fault as the content of a body. Its detail has the kind, the message and the fields that it is about. */
export function faultText(
  { kind, status, message, fields }: ReportedFault,
  version: SoapVersion,
  namespace: string,
): string {
  const code = `soap:${codes[version][kind]}`
  const word = words[status] ?? 'failed'
  const about = fields.map(field => `<field>${xmlText(field)}</field>`).join('')
  const error = `<Error xmlns="${xmlText(namespace)}"><kind>${word}</kind><message>${xmlText(message)}</message>${about}</Error>`
  if (version === '1.1') {
    const parts = `<faultcode>${code}</faultcode><faultstring>${xmlText(message)}</faultstring><detail>${error}</detail>`
    return `<soap:Fault>${parts}</soap:Fault>`
  }
  const reason = `<soap:Reason><soap:Text xml:lang="en">${xmlText(message)}</soap:Text></soap:Reason>`
  return `<soap:Fault><soap:Code><soap:Value>${code}</soap:Value></soap:Code>${reason}<soap:Detail>${error}</soap:Detail></soap:Fault>`
}

/** HTTP statuses of access and load are returned; other faults have the status that SOAP defines for faults. */
export function faultStatus({ kind, status }: ReportedFault, version: SoapVersion): number {
  if (status === 401 || status === 403 || status === 413 || status === 429 || status === 503) return status
  return version === '1.2' && kind === 'sender' ? 400 : 500
}
