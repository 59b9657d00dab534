<?php

/** Loads the client: `require` this file, or let Composer do it. */

declare(strict_types=1);

foreach (['errors', 'Outcome', 'Answered', 'Connection', 'MakolaClient', 'webhooks'] as $file) {
    require_once __DIR__ . "/src/$file.php";
}
