import { getAttributeBiography } from '@cadmus/model/contract/biography'
import type { CallAnswer } from '@cadmus/model/contract/call'
import { isRecord } from '@cadmus/model/equal'
import { relationshipFields } from '@cadmus/model/fields/relationship'
import { typeAttributeFields } from '@cadmus/model/fields/type-attribute'
import { biographyTexts as texts } from '@cadmus/model/messages/biography'
import { callApi } from '../../api/client.ts'
import type { CallOptions } from '../../api/send.ts'
import type { Property } from '../../ui/property.ts'
import { minuteOf } from '../../ui/timestamp.ts'
import { shownText } from './field-properties.tsx'

type Biography = CallAnswer<typeof getAttributeBiography>
type Event = Biography['events'][number]
type Change = Event['changes'][number]

/** Reads the history of an attribute as rows of the properties panel. */
export async function readBiography(id: number, uid: string, options: CallOptions): Promise<readonly Property[]> {
  return biographyProperties(await callApi(getAttributeBiography, { params: { id, uid } }, options))
}

export function biographyProperties({ names, formerNames, since, events, more }: Biography): Property[] {
  const shown = (id: string, label: string, value: string, mono = false): Property => ({
    id,
    label,
    editor: 'shown',
    value,
    mono,
  })
  const live = [
    ...(since.entity ? [texts.version(since.entity.version, minuteOf(since.entity.at))] : []),
    ...[...since.manifests, ...since.builds].map(({ name, version, at }) =>
      texts.document(name, version, minuteOf(at)),
    ),
  ]
  const former = formerNames.map(({ name, until }) => texts.until(name, minuteOf(until)))
  return [
    ...(names ? [shown('api', texts.api, names.api, true), shown('sql', texts.sql, sqlNames(names.sql), true)] : []),
    ...(former.length > 0 ? [shown('former', texts.former, former.join('\n'))] : []),
    shown('since', texts.since, live.join('\n') || texts.notLive),
    ...events.map(event =>
      shown(`event ${event.sequence}`, texts.by(minuteOf(event.at), event.actor.name), eventText(event)),
    ),
    ...(more ? [shown('more', '', texts.more)] : []),
  ]
}

function sqlNames(names: NonNullable<Biography['names']>['sql']): string {
  const byName = Map.groupBy(names, ({ name }) => name)
  const [one, ...others] = byName.keys()
  if (one === undefined || others.length === 0) return one ?? ''
  const lines = [...byName].map(([name, list]) =>
    texts.inDatabases(
      name,
      list.map(({ database }) => database),
    ),
  )
  return lines.join('\n')
}

function eventText({ kind, entity, from, cause, changes, description }: Event): string {
  const head =
    kind === 'moved' ? texts.moved(from ?? '', entity.name) : kind === 'changed' ? '' : texts.kind[kind](entity.name)
  const lines = [head, ...changes.map(changeText), cause ? texts.cause[cause.kind] : ''].filter(line => line !== '')
  return lines.join('\n') || description
}

/** Empty for a field that the panel does not show, such as the uid of a relationship's target attribute. */
function changeText(change: Change): string {
  const label = fieldLabels.get(change.field)
  if (label === undefined) return ''
  const after = valueText(change.after)
  return 'before' in change ? texts.changed(label, valueText(change.before), after) : texts.set(label, after)
}

const fieldLabels = new Map(
  [...Object.entries(relationshipFields), ...Object.entries(typeAttributeFields)].flatMap(([name, { panel }]) =>
    panel ? [[name, panel.label] as const] : [],
  ),
)

function valueText(value: unknown): string {
  const text = isRecord(value) && typeof value['name'] === 'string' ? value['name'] : shownText(value)
  return text || '-'
}
