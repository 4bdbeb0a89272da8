import type { ApiField } from '@cadmus/model/api/api'
import type { WireValue } from '@cadmus/model/api/operation'
import { joined, slicesOf, type TextPieces } from '@cadmus/model/text-pieces'
import { xmlText, type XmlElement } from '@cadmus/formats/xml'
import { HttpError } from '../../http-error.ts'
import { readJson, valueOfText, wireValue } from '../rest/body.ts'
import { SoapFault } from './envelope.ts'

const nilName = '{http://www.w3.org/2001/XMLSchema-instance}nil'

/** Converts an element to the JSON value of its field, which the engine validates. Throws a `SoapFault`. */
export function valueOfElement(element: XmlElement, field: ApiField): WireValue {
  const nil = element.attributes.get(nilName)?.trim()
  if (nil === 'true' || nil === '1') return null
  if (element.children.length > 0) throw new SoapFault('sender', `${field.name}: this must be a value.`)
  const { text } = element
  switch (field.type.kind) {
    case 'text':
      return text
    case 'json':
      return jsonValue(text, field)
    case 'boolean': {
      const word = text.trim()
      return word === '1' ? true : word === '0' ? false : valueOfText(word, field)
    }
    case 'binary':
      return text.replace(/[ \t\r\n]+/g, '')
    default:
      return valueOfText(text.trim(), field)
  }
}

function jsonValue(text: string, field: ApiField): WireValue {
  try {
    return wireValue(readJson(text))
  } catch (error) {
    if (error instanceof HttpError) throw new SoapFault('sender', `${field.name}: this must be a JSON text.`)
    throw error
  }
}

/** Characters of a string that are escaped at once. */
const sliceLength = 64 * 1024

export function elementOf(name: string, value: WireValue, field: ApiField): TextPieces {
  if (value === null) return `<${name} xsi:nil="true"/>`
  const text = field.type.kind === 'json' ? JSON.stringify(value) : String(value)
  if (text.length <= sliceLength) return `<${name}>${xmlText(text)}</${name}>`
  return joined(`<${name}>`, slicesOf(text, sliceLength).map(xmlText), `</${name}>`)
}
