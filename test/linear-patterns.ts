/**
 * Patterns of the app that take the checker long, and that it has found to be linear. The long form of
 * test/patterns.test.ts has it decide again.
 */
export const LINEAR: RegExp[] = [
  /"version": *"([^"]+)"/,
  /(?:\+|%2b)([\s>\da-f]+)(@|%40)/gi,
  /(?:\bselect|\bdistinct|\breturning|[.,])\s*\*/i,
  /([^\s-]{15,})/u,
  /<[^<>]*>|\[[^[\]]*\]|https?:\S+/g,
  /\b(?:href|src)\s*=\s*["']([^"']*)/gi,
  /\bdelsp[ \t]*=[ \t]*"?yes\b/i,
  /\bformat[ \t]*=[ \t]*(?:flowed\b|"flowed")/i,
  /^((?:\/files)?\/photos\/.+)-\d+\.webp$/,
  /^(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE\s[^>[]*>)/i,
  /^(https?:\/\/[^\s<>"']+|www\.[^\s<>"'=]+|[^\s<>"'=/@]+@[^\s<>"'=/@]+)$/i,
  /^(version|[a-z]+Version)$/,
  /^- \*\*([a-z][a-z-]+)\*\*( \(required\))?: (\S.*)$/,
  /^[^<>]*<(?:mailto:)?([^<>@]+@[^<>@]+)>[,;]?$/i,
  /^[^\s@+]{1,31}@[^\s@]+$/,
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i,
  /^\/admin\/partners\/[^/]+$/i,
  /^\/admin\/venues\/[^/]+\/photos$/i,
  /^\s*#|kickabout\.example/,
  /^\s*at (?:async )?(?:Object\.)?([\w.#]+) \(/,
  /^_{20,}$/,
  /^content-type[ \t]*:/i,
  /^https?:\/\/[\w.:[\]-]+\/[!$&'()*+,./:;=@\w~-]*([?#][!-[\]-~]*)?$/i,
  /^https?:\/\/[^/?#@\s]+(\/[^?#@\s]*)?$/,
  /^kickabout:(?:[^:]*:){4}([^:]*):/m,
  /^test ! -f \S+ && cp %p \S+$/,
  /href="(https?:[^"]+)"/,
];
