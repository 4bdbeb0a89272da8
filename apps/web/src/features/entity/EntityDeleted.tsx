import { entityDocument } from '@cadmus/model/entity-document'
import { saveJson } from '../../api/json-file.ts'
import { DraftDeleted } from '../../drafts/DraftDeleted.tsx'
import { Button } from '../../ui/Button.tsx'
import { isSaving } from '../../drafts/open-draft.ts'
import { entityStore } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'

export function EntityDeleted({ view: { key, open } }: { view: EntityView }) {
  const { content, saved } = open.draft
  const document = () => entityDocument(content, { path: saved.path, version: saved.currentVersion })
  return (
    <DraftDeleted at={key} open={open} store={entityStore}>
      <Button variant="primary" busy={isSaving(open)} onClick={() => void entityStore.save(key)}>
        Save as new
      </Button>
      <Button onClick={() => saveJson(content.name, document())}>Export as JSON</Button>
    </DraftDeleted>
  )
}
