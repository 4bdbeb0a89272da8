import type { AuditDifference, AuditEntry } from '@cadmus/model/audit-differences'
import { visibleText } from '@cadmus/model/display'
import styles from './Differences.module.css'
import * as configurationWords from './configuration-words.ts'
import * as entityWords from './entity-words.ts'

type DifferenceTexts = { subject: string; before: string; after: string }

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

/** Maximum number of lines shown; the rest is in the entry's content. */
const maxLines = 500

type DifferencesProps = { differences: readonly AuditDifference[]; kind: AuditEntry['CONTENT_KIND'] }

export function Differences({ differences, kind }: DifferencesProps) {
  if (differences.length === 0) {
    const text =
      kind === 'configuration'
        ? 'The changed value is secret and not shown.'
        : 'The content is the same before and after.'
    return <p className={styles['none']}>{text}</p>
  }
  const more = differences.length - maxLines
  return (
    // Focusable so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['differences']} tabIndex={0} aria-label="Differences">
      <table aria-label="Differences">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, maxLines).map(difference => {
            const { subject, before, after } = describeDifference(difference, kind)
            return (
              <tr key={`${difference.change} ${difference.path} ${difference.field}`}>
                <th scope="row">{subject}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {more > 0 && <p className={styles['none']}>{more} more</p>}
    </section>
  )
}
