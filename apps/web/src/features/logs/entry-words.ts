import type { AuditDifference } from '@cadmus/model/audit-differences'
import type { AuditEntry } from '@cadmus/model/audit-entry'
import { visibleText } from '@cadmus/model/visible-text'
import * as configurationWords from '../../commands/configuration-words.ts'
import * as entityWords from '../../commands/entity-words.ts'

export type DifferenceWords = { what: string; before: string; after: string }

const listWords: Readonly<Record<string, string>> = {
  typeAttributes: 'Attribute',
  entityAttributes: 'Relationship',
  entities: 'Entity',
  subManifests: 'Sub-Manifest',
}
const memberTypes: Readonly<Record<string, string>> = { EXCLUSIVE: 'its own', TEMPLATE: 'in its place' }

/** Describes a difference with the labels of the screens. */
export function differenceWords(difference: AuditDifference, kind: AuditEntry['CONTENT_KIND']): DifferenceWords {
  const { change, path, field, before, after } = difference
  if (kind === 'configuration') {
    const [was, is] = [before, after].map(value => configurationWords.conflictValue({ path, field }, value))
    return { what: configurationWords.conflictWords({ path, field }), before: was ?? '', after: is ?? '' }
  }
  const [list = '', ...rest] = path.split('.')
  const item = listWords[list] ? `${listWords[list]} ${visibleText(rest.join('.'))}` : ''
  if (change === 'changed' || change === 'renamed') {
    const place = item === '' || change === 'changed' ? { path, field } : { path, field: 'name' }
    const what = list === 'entities' ? `${item}: ${field}` : entityWords.conflictWords(place)
    return { what, before: valueWords(field, before), after: valueWords(field, after) }
  }
  if (change === 'moved' && rest.length === 0)
    return { what: `Order of the ${plural(list)}`, before: '', after: 'changed' }
  if (change === 'moved') return { what: `${item}: place`, before: '', after: 'moved' }
  if (change === 'converted')
    return {
      what: item,
      before: '',
      after: list === 'entityAttributes' ? 'became a foreign key' : 'became an attribute',
    }
  const said = (value: unknown) => memberTypes[String(value)] ?? visibleText(String(value ?? ''))
  return change === 'added'
    ? { what: item, before: 'not there', after: said(after) || 'added' }
    : { what: item, before: said(before) || 'there', after: 'removed' }
}

function plural(list: string): string {
  return list === 'subManifests' ? 'sub-manifests' : 'entities'
}

function valueWords(field: string, value: unknown): string {
  return memberTypes[String(value)] ?? entityWords.conflictValue({ path: '', field }, value)
}
