import { withoutSecrets } from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { saveJson } from '../../api/json-file.ts'
import { DraftDeleted } from '../../drafts/DraftDeleted.tsx'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { configurationStore, titleOf } from './configuration-store.ts'
import type { ConfigurationView } from './configuration-view.ts'

/** Actions for the unsaved changes of a configuration whose manifest was deleted. */
export function ConfigurationDeleted({ view: { key, open, draft, manifest } }: { view: ConfigurationView }) {
  const shown = withoutSecrets(draft.content)
  const note = isEqual(shown, draft.content) ? undefined : messages.deleted.withoutSecrets
  return (
    <DraftDeleted at={key} open={open} store={configurationStore} note={note}>
      <Button variant="primary" onClick={() => saveJson(titleOf(manifest.name), shown)}>
        Export as JSON
      </Button>
      <Button onClick={() => void copyText(JSON.stringify(shown, null, 2))}>Copy as JSON</Button>
    </DraftDeleted>
  )
}
