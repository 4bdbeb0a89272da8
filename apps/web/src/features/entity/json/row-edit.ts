import { shapeAt, type JsonShape } from '@cadmus/model/read-content'
import type { EntityContent } from '@cadmus/model/entity'
import { jsonOf, typedValue, valueAt, withAdded, withValue, type Typed } from './json-edits.ts'
import type { JsonRow } from './json-rows.ts'

export const anyShape: JsonShape = { kind: 'any', nullable: false, optional: true, options: [] }

/** The content with a row's edit, not validated yet. */
export function contentWithRow(content: EntityContent, { path, adding }: JsonRow, text: string): Typed {
  if (adding && path.at(-1) === '') return withMembers(content, path.slice(0, -1), text)
  const typed = typedValue(text, shapeAt(path) ?? anyShape)
  if ('problem' in typed) return typed
  return { value: adding ? withAdded(content, path, typed.value) : withValue(content, path, typed.value) }
}

/** Parses the members of an object without its braces. */
function withMembers(content: EntityContent, path: JsonRow['path'], text: string): Typed {
  const typed = jsonOf(`{${text}}`)
  if ('problem' in typed) return typed
  return { value: withValue(content, path, { ...Object(valueAt(content, path)), ...Object(typed.value) }) }
}
