import { messages } from '@cadmus/model/messages'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { draftKey, readDraftKey } from '../../drafts/draft-key.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { entityStore } from './entity-store.ts'
import { viewVersion, type EntityView } from './entity-view.ts'
import styles from './EntityDocument.module.css'

/** Links to old versions with unsaved changes, which mark the tab although the shown version is unchanged. */
export function UnsavedVersions({ view }: { view: EntityView }) {
  const { key: shown, entity } = view
  const unsaved = useStore(
    entityStore.state,
    useShallow(({ open }) => {
      const versions = [...open].flatMap(([key, { draft }]) => {
        const at = readDraftKey(key)
        const isSameEntity = at !== null && draftKey(at.id, undefined, at.scope) === draftKey(entity.id, undefined)
        const isOther = key !== shown && isSameEntity && draft.changes > 0
        return isOther && at.version !== undefined ? [[at.version, draft.changes] as const] : []
      })
      return new Map(versions)
    }),
  )
  return [...unsaved].map(([version, changes]) => (
    <div key={version} className={styles['unsaved']}>
      <Alert kind="info">
        <span>{messages.unsavedIn(changes, version)}</span>{' '}
        <Button variant="quiet" onClick={() => viewVersion(entity.id, version)}>
          Show {version}
        </Button>
      </Alert>
    </div>
  ))
}
