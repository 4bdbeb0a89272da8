import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { pressCommand } from '../../commands/command.ts'
import { saveAll } from '../../drafts/save-all.ts'
import { Button } from '../../ui/Button.tsx'
import { TabTools } from '../../ui/Tabs.tsx'
import { tip } from '../../ui/Tooltip.tsx'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import styles from './ManifestDocument.module.css'

/** The number of entities with unsaved changes, which may have no tab, and the button that saves them. */
export function UnsavedEntities({ entities }: { entities: readonly { id: number }[] }) {
  const count = useWorkbench(
    ({ drafts }) => entities.filter(({ id }) => drafts.has(tabIdOf({ kind: 'entity', id }))).length,
  )
  if (count === 0) return null
  const { label, icon, shortcut } = saveAll
  return (
    <TabTools>
      <span className={styles['unsaved']}>{viewTexts.status.unsaved(count)}</span>
      <Button icon={icon} onClick={() => pressCommand(saveAll, {})} {...tip(label, shortcut)}>
        {label}
      </Button>
    </TabTools>
  )
}
