/**
 * @typedef {'1.1' | '1.2'} SoapVersion
 * @typedef {{ name: string, description: string, action: string, element: string }} SoapOperation
 * @typedef {{ namespace: string, operations: SoapOperation[], schema: Element | undefined }} Wsdl
 */

const wsdlNamespace = 'http://schemas.xmlsoap.org/wsdl/'
const xsdNamespace = 'http://www.w3.org/2001/XMLSchema'
const soapBinding = 'http://schemas.xmlsoap.org/wsdl/soap/'

/** @type {Record<SoapVersion, string>} */
export const envelopeNamespaces = {
  1.1: 'http://schemas.xmlsoap.org/soap/envelope/',
  1.2: 'http://www.w3.org/2003/05/soap-envelope',
}

/** @type {Record<string, string>} */
const samples = {
  boolean: 'true',
  short: '1',
  int: '1',
  long: '1',
  decimal: '1.5',
  double: '1.5',
  date: '2026-01-31',
  time: '12:00:00',
  dateTime: '2026-01-31T12:00:00',
  base64Binary: 'dGV4dA==',
}

/**
 * @param {string} text
 * @returns {Wsdl}
 */
export function readWsdl(text) {
  const root = new DOMParser().parseFromString(text, 'application/xml').documentElement
  const actions = new Map(
    [...root.getElementsByTagNameNS(soapBinding, 'operation')].map(one => [
      one.parentElement?.getAttribute('name'),
      one.getAttribute('soapAction') ?? '',
    ]),
  )
  const elements = new Map(
    childrenOf(root, wsdlNamespace, 'message').map(message => [
      message.getAttribute('name') ?? '',
      localName(message.firstElementChild?.getAttribute('element')),
    ]),
  )
  const [portType] = childrenOf(root, wsdlNamespace, 'portType')
  const operations = childrenOf(portType, wsdlNamespace, 'operation').map(operation => {
    const [input] = childrenOf(operation, wsdlNamespace, 'input')
    const name = operation.getAttribute('name') ?? ''
    return {
      name,
      description: childrenOf(operation, wsdlNamespace, 'documentation')[0]?.textContent ?? '',
      action: actions.get(name) ?? '',
      element: elements.get(localName(input?.getAttribute('message'))) ?? name,
    }
  })
  const schema = root.getElementsByTagNameNS(xsdNamespace, 'schema')[0]
  return { namespace: root.getAttribute('targetNamespace') ?? '', operations, schema }
}

/**
 * A sample envelope: required elements have values, optional ones are in comments.
 * @param {Wsdl} wsdl
 * @param {SoapOperation} operation
 * @param {SoapVersion} version
 * @returns {string}
 */
export function envelopeFor({ namespace, schema }, { element }, version) {
  const declared = declarationOf(schema, 'element', element)
  const [type] = childrenOf(declared, xsdNamespace, 'complexType')
  const content = contentOf(schema, type, new Set(), true)
  const start = `<${element} xmlns="${namespace}"`
  return [
    `<soap:Envelope xmlns:soap="${envelopeNamespaces[version]}">`,
    '  <soap:Body>',
    ...(content.length === 0 ? [`${start}/>`] : [`${start}>`, ...indented(content), `</${element}>`]).map(
      line => `    ${line}`,
    ),
    '  </soap:Body>',
    '</soap:Envelope>',
    '',
  ].join('\n')
}

/**
 * The lines of a type's elements. `mayComment`: false inside a comment, since XML comments do not nest.
 * @param {Element | undefined} schema
 * @param {Element | undefined} type
 * @param {ReadonlySet<string>} outer enclosing types, which are not repeated
 * @param {boolean} mayComment
 * @returns {string[]}
 */
function contentOf(schema, type, outer, mayComment) {
  const [sequence] = childrenOf(type, xsdNamespace, 'sequence')
  return childrenOf(sequence, xsdNamespace, 'element').flatMap(member => {
    const isOptional = member.getAttribute('minOccurs') === '0'
    const lines = linesOf(schema, member, outer, mayComment && !isOptional)
    if (!isOptional || !mayComment || lines.length === 0) return lines
    const [first = '', ...rest] = lines
    return [`<!-- ${first}`, ...rest.map(line => `     ${line}`)].map((line, index, all) =>
      index === all.length - 1 ? `${line} -->` : line,
    )
  })
}

/**
 * @param {Element | undefined} schema
 * @param {Element} member
 * @param {ReadonlySet<string>} outer
 * @param {boolean} mayComment
 * @returns {string[]}
 */
function linesOf(schema, member, outer, mayComment) {
  const name = member.getAttribute('name') ?? ''
  const typeName = localName(member.getAttribute('type'))
  const type = declarationOf(schema, 'complexType', typeName)
  if (type === undefined) return [`<${name}>${valueOf(member, typeName)}</${name}>`]
  if (outer.has(typeName)) return []
  const content = contentOf(schema, type, new Set([...outer, typeName]), mayComment)
  return [`<${name}>`, ...indented(content), `</${name}>`]
}

/**
 * @param {Element} member
 * @param {string} typeName
 */
function valueOf(member, typeName) {
  const [choice] = member.getElementsByTagNameNS(xsdNamespace, 'enumeration')
  return member.getAttribute('default') ?? choice?.getAttribute('value') ?? samples[typeName] ?? 'text'
}

/** @param {string[]} lines */
function indented(lines) {
  return lines.map(line => `  ${line}`)
}

/**
 * @param {Element | undefined} schema
 * @param {string} kind
 * @param {string} name
 * @returns {Element | undefined}
 */
function declarationOf(schema, kind, name) {
  return childrenOf(schema, xsdNamespace, kind).find(one => one.getAttribute('name') === name)
}

/**
 * @param {Element | undefined} parent
 * @param {string} namespace
 * @param {string} name
 * @returns {Element[]}
 */
function childrenOf(parent, namespace, name) {
  return [...(parent?.children ?? [])].filter(one => one.namespaceURI === namespace && one.localName === name)
}

/** @param {string | null | undefined} name */
function localName(name) {
  return name?.split(':').at(-1) ?? ''
}
