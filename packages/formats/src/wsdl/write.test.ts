import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { operationsInWsdl } from '@cadmus/testing/wsdl-check'
import { describe, expect, it } from 'vitest'
import { apiOperations } from '../api-operations.ts'
import { anApi } from '../testing/sample-api.ts'
import { aConfiguration, aShop } from '../testing/built-packages.ts'
import { anEnumeratedModel } from '../testing/enumerated-model.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { readXml, type XmlElement } from '../xml.ts'
import { wsdlOf } from './write.ts'

const address = 'https://instance.test/soap/shop/1.0'

describe('the WSDL description of an API', () => {
  it('the WSDL has the same operations for SOAP 1.1 and SOAP 1.2', async () => {
    const excluded = ['Order.post', 'Item.sku.delete']
    const ports = await operationsInWsdl(wsdlOf(anApi(aShop(), aConfiguration({ excluded })), { address }))
    expect(ports['shopSoap']).toEqual(ports['shopSoap12'])
    expect(ports['shopSoap12']).toEqual([
      'SelectAllCustomer',
      'InsertCustomer',
      'UpdateCustomer',
      'SelectCustomer',
      'DeleteCustomer',
      'SelectAllOrderByCustomer',
      'SelectAllOrder',
      'UpdateOrder',
      'SelectOrder',
      'DeleteOrder',
      'SelectCustomerByOrder',
      'SelectAllItemByOrder',
      'SelectAllItem',
      'InsertItem',
      'UpdateItem',
      'SelectItem',
      'SelectOrderByItem',
    ])
  })

  it('the WSDL of generated models is well-formed and defines every name that it references', async () => {
    for (const resolvedModel of exportableModels(20, 1300, { checks: true })) {
      const api = anApi(resolvedModel)
      const wsdl = wsdlOf(api, { address })
      const undefinedNames = [...namesIn(readXml(wsdl, { depth: 20, elements: 1_000_000, attributes: 20 }))]
      expect(undefinedNames).toEqual([])
      const ports = await operationsInWsdl(wsdl)
      expect(ports[`${api.namespace}Soap`]).toEqual(apiOperations(api).map(({ name }) => name))
    }
  })

  it('the WSDL has a simple type for each enumeration, with the labels of its values', async () => {
    const wsdl = wsdlOf(anApi(anEnumeratedModel()), { address })
    await operationsInWsdl(wsdl)
    const elements = [...within(readXml(wsdl))]
    const typesOf = (name: string) =>
      elements
        .filter(one => one.name === 'element' && one.attributes.get('name') === name)
        .map(one => one.attributes.get('type'))
    const valuesOf = (name: string) => {
      const type = elements.find(one => one.name === 'simpleType' && one.attributes.get('name') === name)
      return [...within(type ?? readXml(wsdl))].flatMap(one =>
        one.name === 'enumeration' ? [[one.attributes.get('value'), textOf(one)]] : [],
      )
    }
    expect(valuesOf('State')).toEqual([
      ['in work', 'Still open'],
      ['done', ''],
    ])
    expect(valuesOf('Order2')).toEqual([['a<b', 'Ascending']])
    expect(new Set([...typesOf('state'), ...typesOf('before')])).toEqual(new Set(['tns:State']))
    expect(new Set(typesOf('sorting'))).toEqual(new Set(['tns:Order2']))
    expect(new Set([...typesOf('stale'), ...typesOf('own')])).toEqual(new Set(['xsd:string']))
  })

  it('parts of a key do not share the name of another element of a request', () => {
    const names = ['fields', 'limit', 'fields2']
    const parts = names.map(name => aTypeAttribute({ name, unique: true, purpose: 'identifiedBy' }))
    const thing = anEntity({ name: 'Thing', typeAttributes: aList(...parts) })
    const relation = aRelationship(thing, {
      associatedEntityTypeAttribute: 'fields2',
      foreignKeyTypeAttribute: 'thing',
      foreignKeyDataType: 'string',
      position: 1,
    })
    const note = anEntity({ name: 'Note', typeAttributes: aList(aKey()), entityAttributes: [relation] })
    const root = readXml(wsdlOf(anApi(aResolvedModel([thing, note])), { address }))
    const elements = (name: string) => [...within(root)].find(one => one.attributes.get('name') === name)
    const elementsOf = (name: string) =>
      [...within(elements(name) ?? root)]
        .flatMap(one => (one.name === 'element' ? one.attributes.get('name') : []))
        .slice(1)
    expect(elementsOf('SelectThing')).toEqual(['fields3', 'limit', 'fields2', 'fields'])
    expect(elementsOf('DeleteThing')).toEqual(names)
    const others = ['limit', 'offset', 'search', 'sort', 'fields', 'filter']
    expect(elementsOf('SelectAllNoteByThing')).toEqual(['fields3', 'limit2', 'fields2', ...others])
  })

  it('the WSDL contains the given address with special characters escaped', () => {
    const wsdl = readXml(wsdlOf(anApi(), { address: 'http://x/?a="<&>' }))
    const ports = wsdl.children.find(({ name }) => name === 'service')?.children ?? []
    expect(ports.map(({ children }) => children[0]?.attributes.get('location'))).toEqual([
      'http://x/?a="<&>',
      'http://x/?a="<&>',
    ])
  })
})

function* within(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* within(child)
}

function textOf(element: XmlElement): string {
  return [...within(element)].map(({ text }) => text.trim()).join('')
}

/** Names referenced in the target namespace but not defined there. */
function namesIn(root: XmlElement): Set<string> {
  const defined = new Set<string>()
  const named = new Set<string>()
  const look = (element: XmlElement, depth: number) => {
    const name = element.attributes.get('name')
    // Types of both kinds share their names.
    const own = element.name.replace(/^(?:complex|simple)Type$/, 'type')
    const isGlobal = depth === 1 || (depth === 3 && ['element', 'type'].includes(own))
    if (isGlobal && name !== undefined) {
      if (defined.has(`${own} ${name}`)) named.add(`${own} ${name} twice`)
      defined.add(`${own} ${name}`)
    }
    for (const [attribute, kind] of [
      ['type', element.name === 'binding' ? 'portType' : 'type'],
      ['element', 'element'],
      ['message', 'message'],
      ['binding', 'binding'],
    ] as const) {
      const value = element.attributes.get(attribute)
      if (value?.startsWith('tns:')) named.add(`${kind} ${value.slice(4)}`)
    }
    for (const child of element.children) look(child, depth + 1)
  }
  look(root, 0)
  return named.difference(defined)
}
