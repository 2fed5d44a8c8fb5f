# cmake -DINPUT=FILE -DOUTPUT=FILE.inc -P: a text file as a C++ string literal.
file(READ "${INPUT}" text)
file(WRITE "${OUTPUT}" "R\"EMBEDDED(${text})EMBEDDED\"\n")
