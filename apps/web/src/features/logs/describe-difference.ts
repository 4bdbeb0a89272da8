import type { AuditDifference, AuditEntry } from '@cadmus/model/audit-differences'
import { visibleText } from '@cadmus/model/display'
import * as configurationWords from '../../commands/configuration-words.ts'
import * as entityWords from '../../commands/entity-words.ts'

export type DifferenceTexts = { subject: string; before: string; after: string }

const listLabels: Readonly<Record<string, string>> = {
  typeAttributes: 'Attribute',
  entityAttributes: 'Relationship',
  entities: 'Entity',
  subManifests: 'Sub-Manifest',
}
const memberTypes: Readonly<Record<string, string>> = { EXCLUSIVE: 'its own', TEMPLATE: 'in its place' }

export function describeDifference(difference: AuditDifference, kind: AuditEntry['CONTENT_KIND']): DifferenceTexts {
  const { change, path, field, before, after } = difference
  if (kind === 'configuration') {
    const [oldText, newText] = [before, after].map(value => configurationWords.conflictValue({ path, field }, value))
    return { subject: configurationWords.conflictWords({ path, field }), before: oldText ?? '', after: newText ?? '' }
  }
  const [list = '', ...rest] = path.split('.')
  const item = listLabels[list] ? `${listLabels[list]} ${visibleText(rest.join('.'))}` : ''
  if (change === 'changed' || change === 'renamed') {
    const place = item === '' || change === 'changed' ? { path, field } : { path, field: 'name' }
    const subject = list === 'entities' ? `${item}: ${field}` : entityWords.conflictWords(place)
    return { subject, before: formatValue(field, before), after: formatValue(field, after) }
  }
  if (change === 'moved' && rest.length === 0)
    return { subject: `Order of the ${plural(list)}`, before: '', after: 'changed' }
  if (change === 'moved') return { subject: `${item}: place`, before: '', after: 'moved' }
  if (change === 'converted')
    return {
      subject: item,
      before: '',
      after: list === 'entityAttributes' ? 'became a foreign key' : 'became an attribute',
    }
  const labelOf = (value: unknown) => memberTypes[String(value)] ?? visibleText(String(value ?? ''))
  return change === 'added'
    ? { subject: item, before: 'missing', after: labelOf(after) || 'added' }
    : { subject: item, before: labelOf(before) || 'present', after: 'removed' }
}

function plural(list: string): string {
  return list === 'subManifests' ? 'sub-manifests' : 'entities'
}

function formatValue(field: string, value: unknown): string {
  return memberTypes[String(value)] ?? entityWords.conflictValue({ path: '', field }, value)
}
