<?php

declare(strict_types=1);

namespace Makola;

/**
 * What a call returned, or why it has nothing to return.
 *
 * @internal
 */
final class Answered
{
    /** @param bool $isAfterUnclearTry an earlier try had an outcome that was not known */
    public function __construct(
        public readonly mixed $data,
        public readonly ?MakolaError $error = null,
        public readonly bool $isAfterUnclearTry = false,
    ) {
    }
}
