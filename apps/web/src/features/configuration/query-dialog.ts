import type { AggregateQuery } from '@cadmus/model/configuration'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import type { AggregateQueryDialogProps } from './AggregateQueryDialog.tsx'
import { configurationStore } from '../../drafts/configuration-store.ts'
import { queryId } from './edited-query.ts'
import type { ConfigurationView } from './configuration-view.ts'

const dialog = defineDialog<Omit<AggregateQueryDialogProps, 'onClose'>>('aggregate-query', () =>
  import('./AggregateQueryDialog.tsx').then(module => module.AggregateQueryDialog),
)

export function addQuery({ key, manifest, draft }: ConfigurationView): void {
  const opened = draft.content.configurationBuild.aggregateQueries
  const onFinish = (query: AggregateQuery) => put(key, queries => [...queries, query])
  openDialog(dialog, { manifestId: manifest.id, at: key, opened, query: null, onFinish })
}

/** Changes a renamed query under its new name; restores a deleted one. */
export function editQuery({ key, manifest, draft }: ConfigurationView, id: string): void {
  const opened = draft.content.configurationBuild.aggregateQueries
  const query = opened.find(one => queryId(one) === id)
  if (!query) return
  openDialog(dialog, {
    manifestId: manifest.id,
    at: key,
    opened,
    query,
    onFinish: (next, now) =>
      put(key, queries => (now ? queries.map(one => (one === now ? next : one)) : [...queries, next])),
  })
}

function put(key: ConfigurationView['key'], make: (queries: readonly AggregateQuery[]) => AggregateQuery[]): void {
  configurationStore.edit(key, ({ configurationBuild }) => {
    const path = ['configurationBuild', 'aggregateQueries']
    return [{ kind: 'changeConfiguration', changes: [{ path, value: make(configurationBuild.aggregateQueries) }] }]
  })
}
