import type { EntityReference } from '@cadmus/model/entity-attribute'
import { groupLine } from '@cadmus/model/groups'
import { groupTexts as texts } from '@cadmus/model/messages/groups'
import { useQuery } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { entityQuery } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { UnreadAlert } from '../../ui/UnreadAlert.tsx'
import type { EntityView } from './entity-view.ts'
import { editGroup, newGroup } from './group-commands.ts'
import styles from './Group.module.css'

/** The groups of an entity in its properties: those that it inherits, which are only shown, then its own. */
export function GroupList({ view }: { view: EntityView }) {
  const { groups, extendsEntity } = view.draft.content
  return (
    <div className={styles['groups']}>
      <Inherited parent={extendsEntity} below={[view.entity.id]} isEmpty={groups.length === 0} />
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

type InheritedProps = {
  parent: EntityReference | null
  /** Ids of the entities that extend it, which must not come again. */
  below: readonly number[]
  /** Whether these have no groups. */
  isEmpty: boolean
}

/** The groups of an ancestor, after those of its own ancestors. */
function Inherited({ parent, below, isEmpty }: InheritedProps) {
  const isEnd = parent === null || parent.id < 0 || below.includes(parent.id)
  const query = useQuery({ ...entityQuery(parent?.id ?? 0), enabled: !isEnd })
  if (isEnd) return isEmpty ? <span className={styles['none']}>{texts.none}</span> : null
  const failure = readFailure(query, texts.inheritedUnread)
  if (failure) return <UnreadAlert failure={failure} />
  if (!query.data) return null
  const { id, name, path, groups, extendsEntity } = query.data.entity
  return (
    <>
      <Inherited parent={extendsEntity} below={[...below, id]} isEmpty={isEmpty && groups.length === 0} />
      {groups.length > 0 && (
        <div className={styles['none']}>
          <ul className={styles['inherited']} aria-label={texts.inheritedFrom(name)}>
            {groups.map(group => (
              <li key={group.uid}>
                <Lock size={14} aria-hidden /> {groupLine(group)}
              </li>
            ))}
          </ul>
          <DocumentLink document={{ kind: 'entity', id, name, path }}>{texts.inheritedFrom(name)}</DocumentLink>
        </div>
      )}
    </>
  )
}
