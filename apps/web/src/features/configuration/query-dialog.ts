import type { AggregateQuery } from '@cadmus/model/configuration'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import type { AggregateQueryDialogProps } from './AggregateQueryDialog.tsx'
import { configurationStore } from './configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'

const dialog = defineDialog<Omit<AggregateQueryDialogProps, 'onClose'>>('aggregate-query', () =>
  import('./AggregateQueryDialog.tsx').then(module => module.AggregateQueryDialog),
)

/** New Aggregate Query: what it makes is one step of the draft. */
export function addQuery({ key, manifest, draft }: ConfigurationView): void {
  openDialog(dialog, {
    manifestId: manifest.id,
    others: draft.content.configurationBuild.aggregateQueries,
    query: null,
    onFinish: query => put(key, queries => [...queries, query]),
  })
}

export function editQuery(
  { key, manifest, draft }: ConfigurationView,
  id: string,
  idOf: (query: AggregateQuery) => string,
): void {
  const queries = draft.content.configurationBuild.aggregateQueries
  const query = queries.find(one => idOf(one) === id)
  if (!query) return
  openDialog(dialog, {
    manifestId: manifest.id,
    others: queries.filter(one => one !== query),
    query,
    onFinish: next => put(key, now => now.map(one => (idOf(one) === id ? next : one))),
  })
}

function put(key: ConfigurationView['key'], make: (queries: readonly AggregateQuery[]) => AggregateQuery[]): void {
  configurationStore.edit(key, ({ configurationBuild }) => {
    const path = ['configurationBuild', 'aggregateQueries']
    return [{ kind: 'changeConfiguration', changes: [{ path, value: make(configurationBuild.aggregateQueries) }] }]
  })
}
