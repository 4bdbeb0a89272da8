import { homeTexts } from '@cadmus/model/messages/home'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocated } from '../../api/documents.ts'
import type { AppContext } from '../../commands/context.ts'
import { commandById } from '../../commands/registry.ts'
import { useTextPaste } from '../../text/use-text-paste.ts'
import { useFavourites } from '../../workbench/favourites.ts'
import { forgetDocuments } from '../../workbench/own-documents.ts'
import { useRecentDocuments } from '../../workbench/recent.ts'
import { FavouriteDocuments, RecentDocuments } from './DocumentLists.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import styles from './Home.module.css'
import { existing, ownManifests } from './listed.ts'
import { Problems } from './Problems.tsx'
import { Running } from './Running.tsx'

/** Maximum number of manifests that are checked for problems. */
const maxChecked = 6

/** Shown where no document is: what the user worked on, its problems and what runs. */
export function HomeScreen({ context }: { context: AppContext }) {
  const listed = { recent: useRecentDocuments(), favourites: useFavourites() }
  const located = useLocated([...listed.recent, ...listed.favourites])
  const recent = existing(listed.recent, located)
  const favourites = existing(listed.favourites, located)
  const forget = useEffectEvent(() => {
    if (located === undefined) return
    for (const list of ['recent', 'favourites'] as const)
      forgetDocuments(
        list,
        listed[list].filter(document => existing([document], located).length === 0),
      )
  })
  useEffect(() => forget(), [located])
  const screen = useRef<HTMLDivElement>(null)
  useTextPaste(screen, true, pasted => void commandById('manifest.new')?.run({ ...context, pasted }))
  const isNewcomer = context.hasManifests === false || (recent.length === 0 && favourites.length === 0)
  return (
    <div ref={screen} className={styles['home']}>
      <div className={styles['content']}>
        <h1>{homeTexts.title}</h1>
        {isNewcomer && <FirstSteps context={context} />}
        <div className={styles['columns']}>
          <div className={styles['column']}>
            <RecentDocuments documents={recent} />
          </div>
          <div className={styles['column']}>
            <FavouriteDocuments documents={favourites} />
            <Problems manifests={ownManifests([recent, favourites], maxChecked)} />
            <Running context={context} />
          </div>
        </div>
      </div>
    </div>
  )
}
