import { columnsOf } from '@cadmus/model/columns'
import { biographyTexts as texts } from '@cadmus/model/messages/biography'
import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { readFailure } from '../../api/read-failure.ts'
import { scoped } from '../../api/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { RetryButton } from '../../ui/RetryButton.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Property, PropertyGroup } from '../../ui/property.ts'
import { afterDialogs } from '../../workbench/dialogs.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { EntityView } from './entity-view.ts'

/** The attribute or relationship whose history is shown. */
const shownStore = createStore<{ uid: string | null }>()(() => ({ uid: null }))

type View = Pick<EntityView, 'entity' | 'draft'>

/** Whether the log can have the attribute or relationship. */
export function hasBiography({ draft }: Pick<View, 'draft'>, uid: string | undefined): uid is string {
  return columnsOf(draft.base).some(column => column.uid === uid)
}

/** Shows the history of the chosen row in the properties panel. */
export function showBiography(uid: string): void {
  shownStore.setState({ uid })
  workbench.getState().set({ propertiesOpen: true })
  afterDialogs(() =>
    document.querySelector<HTMLElement>('[data-region=properties] [data-property=biography] button')?.focus(),
  )
}

/** The group with the history of one chosen row, which is read when it is shown. Null without a saved row. */
export function useBiography({ entity, draft }: View, uid: string | undefined): PropertyGroup | null {
  const exists = hasBiography({ draft }, uid)
  const isShown = useStore(shownStore, state => state.uid !== null && state.uid === uid)
  const query = useQuery({
    ...scoped(['edits', 'biography', entity.id, uid ?? '', draft.etag], async options =>
      (await import('./biography-properties.ts')).readBiography(entity.id, uid ?? '', options),
    ),
    enabled: exists && isShown,
  })
  if (!exists) return null
  const failure = readFailure(query, texts.readFailed)
  const toggle: Property = {
    id: 'biography',
    label: texts.label,
    editor: 'custom',
    render: () => (
      <Button
        variant="quiet"
        aria-expanded={isShown}
        onClick={() => shownStore.setState({ uid: isShown ? null : uid })}
      >
        {isShown ? texts.hide : texts.show}
      </Button>
    ),
  }
  const state: Property = {
    id: 'biographyState',
    label: '',
    editor: 'custom',
    render: () =>
      failure ? (
        <div role="alert">
          {failure.message}
          <RetryButton busy={failure.busy} retry={failure.retry} />
        </div>
      ) : (
        <Skeleton lines={4} />
      ),
  }
  const rows = isShown ? (query.data ?? [state]) : []
  return { id: 'biography', title: texts.title, properties: [toggle, ...rows], subject: uid }
}
