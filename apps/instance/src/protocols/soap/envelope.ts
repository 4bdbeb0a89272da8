import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import { readXml, XmlError, type XmlElement } from '@cadmus/formats/xml'
import { SoapFault } from './faults.ts'

export const soapVersions = ['1.1', '1.2'] as const
export type SoapVersion = (typeof soapVersions)[number]

export const envelopeNamespaces: Readonly<Record<SoapVersion, string>> = {
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
