"""Languages: sentences in the language of whoever reads them, and numbers and dates as they write.

The English sentence stands in the code, whole and with named values; ``po/`` has it in other
languages. Nothing is put into a language before it is shown: what is stored, compared or read by
programs is English.
"""
