import { xmlText } from '@cadmus/formats/xml'
import type { SoapVersion } from './envelope.ts'

/** The cause of a fault: the sender, the instance, the SOAP version, or an unsupported header. */
export type FaultKind = 'sender' | 'receiver' | 'version' | 'mustUnderstand'

export class SoapFault extends Error {
  override readonly name = 'SoapFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export type ReportedFault = { kind: FaultKind; status: number; message: string }

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

/** A fault as the content of a body. Its detail has the kind and the message. */
export function faultText({ kind, status, message }: ReportedFault, version: SoapVersion, namespace: string): string {
  const code = `soap:${codes[version][kind]}`
  const word = words[status] ?? 'failed'
  const error = `<Error xmlns="${xmlText(namespace)}"><kind>${word}</kind><message>${xmlText(message)}</message></Error>`
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
