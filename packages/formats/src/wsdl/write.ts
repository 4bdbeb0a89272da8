import type { Api } from '@cadmus/model/api/api'
import { apiOperations, type DescribedOperation } from '../api-operations.ts'
import { xmlText } from '../xml.ts'
import { scopeSentence } from '../openapi/security.ts'
import { schemaLines, targetNamespace } from './schema.ts'

/**
 * WSDL 1.1 description of the SOAP API, document/literal, with ports for SOAP 1.1 and 1.2. `address`: URL of the
 * service.
 */
export function wsdlOf(api: Api, { address }: { address: string }): string {
  const operations = apiOperations(api)
  const namespace = xmlText(targetNamespace(api.namespace))
  const attributes = [
    `name="${api.namespace}"`,
    `targetNamespace="${namespace}"`,
    `xmlns:tns="${namespace}"`,
    'xmlns="http://schemas.xmlsoap.org/wsdl/"',
    'xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
    'xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"',
    'xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"',
  ]
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<definitions ${attributes.join(' ')}>`,
    `  <documentation>${xmlText(api.description === '' ? `The API of ${api.title}.` : api.description)}</documentation>`,
    '  <types>',
    ...schemaLines(api, operations).map(line => `    ${line}`),
    '  </types>',
    ...operations.flatMap(messageLines),
    '  <message name="Error"><part name="detail" element="tns:Error"/></message>',
    ...portTypeLines(api, operations),
    ...bindings.flatMap(binding => bindingLines(binding, api, operations)),
    `  <service name="${api.namespace}">`,
    ...bindings.flatMap(({ prefix, suffix }) => [
      `    <port name="${api.namespace}${suffix}" binding="tns:${api.namespace}${suffix}">`,
      `      <${prefix}:address location="${xmlText(address)}"/>`,
      '    </port>',
    ]),
    '  </service>',
    '</definitions>',
  ]
  return `${lines.join('\n')}\n`
}

function messageLines({ name }: DescribedOperation): string[] {
  return ['', 'Response'].map(
    part => `  <message name="${name}${part}"><part name="parameters" element="tns:${name}${part}"/></message>`,
  )
}

function portTypeLines(api: Api, operations: readonly DescribedOperation[]): string[] {
  const lines = operations.flatMap(operation => [
    `    <operation name="${operation.name}">`,
    `      <documentation>${xmlText(`${summary(operation)}${scopeSentence(api, operation.scopes)}`)}</documentation>`,
    `      <input message="tns:${operation.name}"/>`,
    `      <output message="tns:${operation.name}Response"/>`,
    '      <fault name="Error" message="tns:Error"/>',
    '    </operation>',
  ])
  return [`  <portType name="${api.namespace}">`, ...lines, '  </portType>']
}

function summary(operation: DescribedOperation): string {
  const { name } = operation.entity
  switch (operation.kind) {
    case 'selectAll':
      return `Lists records of ${name}.`
    case 'select':
      return `Reads one record of ${name}.`
    case 'insert':
      return `Creates a record of ${name}.`
    case 'update':
      return `Updates the record of ${name} whose key is sent.`
    case 'delete':
      return `Deletes one record of ${name}.`
    case 'related':
      return `The ${operation.relation.name} of one record of ${name}.`
    case 'aggregate':
      return `The aggregate ${operation.aggregate.name} of ${name}.`
  }
}

const bindings = [
  { prefix: 'soap', suffix: 'Soap' },
  { prefix: 'soap12', suffix: 'Soap12' },
] as const

function bindingLines(
  { prefix, suffix }: (typeof bindings)[number],
  api: Api,
  operations: readonly DescribedOperation[],
) {
  const lines = operations.flatMap(({ name }) => [
    `    <operation name="${name}">`,
    `      <${prefix}:operation soapAction="${xmlText(`${targetNamespace(api.namespace)}/${name}`)}" style="document"/>`,
    `      <input><${prefix}:body use="literal"/></input>`,
    `      <output><${prefix}:body use="literal"/></output>`,
    `      <fault name="Error"><${prefix}:fault name="Error" use="literal"/></fault>`,
    '    </operation>',
  ])
  return [
    `  <binding name="${api.namespace}${suffix}" type="tns:${api.namespace}">`,
    `    <${prefix}:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>`,
    ...lines,
    '  </binding>',
  ]
}
