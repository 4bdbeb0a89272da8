import { columnName, columnsOf, isTypeAttribute } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import type { ManifestContent } from '../manifest.ts'
import type { OperationScopes } from '../operations.ts'

/** Texts of documents that are searched by words, besides names. */
export const searchTextKinds = ['description', 'choice', 'scope'] as const
export type SearchTextKind = (typeof searchTextKinds)[number]

/** The document's own part with the text: of the document itself, or a row of an entity. */
export const searchTextParts = ['document', 'typeAttribute', 'entityAttribute'] as const

/**
 * A text of a document. `uid` and `name` are of its row, '' for the document itself; of an operation scope, `name` lists the
 * operations.
 */
export type SearchText = {
  kind: SearchTextKind
  part: (typeof searchTextParts)[number]
  uid: string
  name: string
  text: string
}

const onDocument = { part: 'document', uid: '', name: '' } as const

/** The operations in the words of the screens. */
const operationNames = {
  selectOperationScopes: 'select',
  selectAllOperationScopes: 'select all',
  deleteOperationScopes: 'delete',
  insertOperationScopes: 'insert',
  updateOperationScopes: 'update',
} as const satisfies Record<keyof OperationScopes, string>

/** Descriptions, values of choices with the names of their enumerations, and operation scopes of an entity. */
export function entityTexts(content: EntityContent): SearchText[] {
  const columns = columnsOf(content).flatMap((column): SearchText[] => {
    const isAttribute = isTypeAttribute(column)
    const part = isAttribute ? 'typeAttribute' : 'entityAttribute'
    const place = { part, uid: column.uid, name: columnName(column) } as const
    const choices = isAttribute ? new Set([...column.choices, column.enumeration?.name ?? '']) : []
    return [
      { kind: 'description', ...place, text: column.description },
      ...Array.from(choices, (text): SearchText => ({ kind: 'choice', ...place, text })),
    ]
  })
  const description: SearchText = { kind: 'description', ...onDocument, text: content.description }
  return [description, ...columns, ...operationScopeTexts(content.operationScopes)].filter(({ text }) => text !== '')
}

/** Each operation scope once, with the operations that ask for it. */
export function operationScopeTexts(scopes: OperationScopes): SearchText[] {
  const operations = new Map<string, string[]>()
  for (const [list, name] of Object.entries(operationNames)) {
    for (const scope of new Set(scopes[list as keyof OperationScopes])) {
      operations.set(scope, [...(operations.get(scope) ?? []), name])
    }
  }
  return Array.from(operations, ([text, names]) => ({ kind: 'scope', ...onDocument, name: names.join(', '), text }))
}

export function manifestTexts({ description }: Pick<ManifestContent, 'description'>): SearchText[] {
  return description === '' ? [] : [{ kind: 'description', ...onDocument, text: description }]
}

/** The scopes that a configuration defines. */
export function scopeDefinitionTexts(scopes: readonly string[]): SearchText[] {
  return [...new Set(scopes)].filter(text => text !== '').map(text => ({ kind: 'scope', ...onDocument, text }))
}
