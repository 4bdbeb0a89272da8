import { visibleText } from '@cadmus/model/display'
import { Braces, Save } from 'lucide-react'
import { useMemo } from 'react'
import { isSaving } from '../../../drafts/open-draft.ts'
import { pressCommand, whyDisabled } from '../../../commands/command.ts'
import { useCommands } from '../../../commands/scope.ts'
import { Button } from '../../../ui/Button.tsx'
import { Tree } from '../../../ui/Tree.tsx'
import { saveCommand, type EntityContext } from '../entity-commands.ts'
import { editSourceCommand } from './edit-source.ts'
import { rowEntries, rowKey } from './json-actions.ts'
import { JsonField } from './JsonField.tsx'
import { JsonValue } from './JsonValue.tsx'
import { readOnlyReason } from './json-edits.ts'
import { useJsonTree } from './use-json-tree.ts'
import styles from './JsonTab.module.css'

const commands = [editSourceCommand]

export function JsonTab({ context }: { context: EntityContext }) {
  const { view } = context
  const { draft, locked, open } = view
  useCommands(commands, context)
  const tree = useJsonTree(view)
  const { rows, byId, editing } = tree
  const shown = useMemo(
    () =>
      rows.map(({ path, tree: row }) => {
        const reason = readOnlyReason(path, locked)
        return reason === null ? row : { ...row, title: reason }
      }),
    [rows, locked],
  )

  return (
    <div className={styles['tab']}>
      <div className={styles['bar']}>
        <Button icon={Braces} onClick={() => pressCommand(editSourceCommand, context)}>
          Edit Source
        </Button>
        <Button
          icon={Save}
          busy={isSaving(open)}
          disabled={whyDisabled(saveCommand, context)}
          onClick={() => pressCommand(saveCommand, context)}
        >
          Save
        </Button>
      </div>
      <Tree
        label={`Content of ${visibleText(draft.content.name)}`}
        rows={shown}
        selected={tree.selected}
        onToggle={tree.toggle}
        onOpen={(id, keep) => {
          const row = byId.get(id)
          if (!row) return
          tree.select(row)
          if (!keep) return
          if (row.tree.expanded === null) tree.edit(row)
          else tree.toggle(id)
        }}
        onMore={tree.toggle}
        onKey={(id, event) => rowKey(byId.get(id), event.key, tree, view)}
        entriesFor={id => rowEntries(byId.get(id), tree, view)}
        after={id => {
          const row = byId.get(id)
          if (!row) return null
          if (editing?.id !== id)
            return <JsonValue value={row.value} readOnly={readOnlyReason(row.path, locked) !== null} />
          return <JsonField key={id} label={tree.labelOf(row)} value={row.value} {...tree.fieldOf(row)} />
        }}
      />
    </div>
  )
}
