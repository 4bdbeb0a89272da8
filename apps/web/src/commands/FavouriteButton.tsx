import { Star } from 'lucide-react'
import { isAdministration } from '../api/scope.ts'
import { IconButton } from '../ui/IconButton.tsx'
import type { DocumentRef } from '../workbench/documents.ts'
import { useFavourites } from '../workbench/favourites.ts'
import { isListed } from '../workbench/own-documents.ts'
import styles from './DocumentHeader.module.css'
import { favouriteLabel, pressFavourite } from './favourite.ts'

/** Adds the document to the favourites or removes it; nothing for administrators, who have no home screen. */
export function FavouriteButton({ document }: { document: DocumentRef }) {
  const isFavourite = useFavourites().some(isListed(document))
  if (isAdministration()) return null
  return (
    <IconButton
      label={favouriteLabel(document)}
      icon={Star}
      data-favourite={isFavourite || undefined}
      className={styles['favourite']}
      onClick={() => pressFavourite(document)}
    />
  )
}
