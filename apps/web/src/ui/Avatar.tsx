import { UserRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import styles from './Avatar.module.css'

export type AvatarProps = {
  picture: string | null
  /** Pixels; default 32. */
  size?: number
  /** Shown if there is no picture; defaults to an icon. */
  children?: ReactNode
}

/** A user's picture or its replacement. Decorative: the name is shown beside it. */
export function Avatar({ picture, size = 32, children }: AvatarProps) {
  const [missing, setMissing] = useState<string | null>(null)
  const isShown = picture !== null && picture !== missing
  return (
    <span className={styles['avatar']} style={{ width: size, height: size }} aria-hidden>
      {isShown ? (
        <img
          src={picture}
          alt=""
          width={size}
          height={size}
          referrerPolicy="no-referrer"
          onError={() => setMissing(picture)}
        />
      ) : (
        (children ?? <UserRound size={Math.round(size * 0.55)} data-avatar="default" />)
      )}
    </span>
  )
}
