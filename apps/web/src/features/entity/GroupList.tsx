import { groupTexts as texts } from '@cadmus/model/messages/groups'
import { groupLine } from '@cadmus/model/groups'
import { Plus } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import type { EntityView } from './entity-view.ts'
import { editGroup, newGroup } from './group-commands.ts'
import styles from './Group.module.css'

/** The groups of an entity in its properties. */
export function GroupList({ view }: { view: EntityView }) {
  const { groups } = view.draft.content
  return (
    <div className={styles['groups']}>
      {groups.length === 0 && <span className={styles['none']}>{texts.none}</span>}
      {groups.map(group => {
        const label = groupLine(group)
        return view.locked ? (
          <span key={group.uid} className={styles['none']}>
            {label}
          </span>
        ) : (
          <Button key={group.uid} variant="quiet" onClick={() => editGroup(view, group)}>
            {label}
          </Button>
        )
      })}
      {!view.locked && (
        <Button variant="quiet" icon={Plus} onClick={() => newGroup(view)}>
          {texts.add}
        </Button>
      )}
    </div>
  )
}
